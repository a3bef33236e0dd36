/** An accessibility warning, or any other of the compiler's, stops the build. */
export default {
  onwarn(warning) {
    throw new Error(`${warning.filename ?? ""}: ${warning.code}: ${warning.message}`);
  },
};
