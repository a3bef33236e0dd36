/** Answers that come line by line, each line an object. */
import type { Progress } from "../model/types";

export type Line = Progress | { recording: string } | { error: { code: string; message: string } };

export async function* linesOf(response: Response): AsyncGenerator<Line> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = `${rest}${value ?? ""}`.split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as Line;
    if (done) return;
  }
}
