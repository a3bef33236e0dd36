/** Nobody who could be asked about a recording. */
import { ApiError } from "../lib/api";
import type { ModelServer } from "./types";

const nobody = (): Promise<never> => Promise.reject(new ApiError("Offline", "", 0));

export const NO_MODEL: ModelServer = {
  offers: new Set(),
  run: nobody,
  recording: nobody,
  table: nobody,
  thumbs: nobody,
  tile: nobody,
  digits: nobody,
  row: nobody,
  weight: nobody,
  peak: nobody,
  pipeline: nobody,
  worst: nobody,
  figure: nobody,
  overTime: nobody,
};
