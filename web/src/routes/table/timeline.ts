// The moves of a match and what happened between them, the newest first.
import type { PlayedStep } from '../../core/game';

/** Something that happened at the table after the move `ply`. */
export interface TableLine {
  ply: number;
  seat: number | null;
  text: string;
}

export interface TimelineEntry extends TableLine {
  key: string;
  /** A move; otherwise something that happened at the table. */
  move: boolean;
}

export function timeline(
  history: readonly PlayedStep[],
  log: readonly TableLine[],
  describe: (played: PlayedStep) => string | null,
): TimelineEntry[] {
  const moves = history.flatMap((one): TimelineEntry[] => {
    const text = describe(one);
    return text ? [{ key: `${one.step.ply}`, ply: one.step.ply, seat: one.step.seat, text, move: true }] : [];
  });
  const others = log.map((line, at): TimelineEntry => ({ ...line, key: `${line.ply}-${at}`, move: false }));
  // A stable sort: what happened after a move follows it.
  return [...moves, ...others].sort((a, b) => a.ply - b.ply).reverse();
}
