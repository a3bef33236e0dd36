/** The cell that is the largest of a block: what a pixel of the pooled map shows. */
import type { CellAt } from "./types";
import { BASE, type Extent, type Grain, SIDE } from "./view";

export type Bring = (level: number, row: number, column: number) => Promise<{ codes: Uint8Array; width: number }>;

/** Cells with the same code are told apart by their printed weights, as far as these go. */
export type Printed = (cells: readonly CellAt[]) => Promise<readonly string[]>;

interface Block {
  row: number;
  column: number;
}

const MOST_ALIKE = 64;

/** Goes down from level to level, always to where the largest code is; the cell itself where all is masked. */
export async function largestIn(grain: Grain, cell: CellAt, extent: Extent, bring: Bring, printed: Printed | null): Promise<CellAt> {
  let { level } = grain;
  const cells = BASE ** level * grain.factor;
  let blocks = within(Math.floor(cell.query / cells), Math.floor(cell.key / cells), grain.factor, level, extent);
  for (;;) {
    blocks = await alike(blocks, level, bring);
    if (blocks.length === 0) return cell;
    if (level === 0) return best(blocks, printed);
    level--;
    const below = level;
    blocks = blocks.flatMap(({ row, column }) => within(row, column, BASE, below, extent));
  }
}

/** The blocks of a level that a block is made of, `side` each way. */
function within(row: number, column: number, side: number, level: number, extent: Extent): Block[] {
  const [rows, columns] = [Math.ceil(extent.queries / BASE ** level), Math.ceil(extent.keys / BASE ** level)];
  const found: Block[] = [];
  for (let down = row * side; down < Math.min((row + 1) * side, rows); down++) {
    for (let along = column * side; along < Math.min((column + 1) * side, columns); along++) found.push({ row: down, column: along });
  }
  return found;
}

/** Those with the largest code; none where all are masked. */
async function alike(blocks: readonly Block[], level: number, bring: Bring): Promise<Block[]> {
  let most = 1;
  let found: Block[] = [];
  const tiles = new Map<string, Awaited<ReturnType<Bring>>>();
  for (const block of blocks) {
    const [down, along] = [Math.floor(block.row / SIDE), Math.floor(block.column / SIDE)];
    const tile = tiles.get(`${down}:${along}`) ?? (await bring(level, down, along));
    tiles.set(`${down}:${along}`, tile);
    const code = tile.codes[(block.row % SIDE) * tile.width + (block.column % SIDE)] ?? 0;
    if (code > most) {
      most = code;
      found = [block];
    } else if (code === most && found.length < MOST_ALIKE) found.push(block);
  }
  return found;
}

async function best(blocks: readonly Block[], printed: Printed | null): Promise<CellAt> {
  const cells = blocks.map(({ row, column }) => ({ query: row, key: column }));
  const [first] = cells;
  if (first === undefined) throw new Error("no block");
  if (cells.length === 1 || printed === null) return first;
  const weights = (await printed(cells)).map((text) => Number.parseFloat(text) || 0);
  return cells[weights.indexOf(Math.max(...weights))] ?? first;
}
