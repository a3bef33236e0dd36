export type LineKind = "file" | "hunk" | "added" | "removed" | "same";

/** What a line of a unified diff is. */
export function kindOf(line: string): LineKind {
  if (line.startsWith("+++ ") || line.startsWith("--- ")) return "file";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
