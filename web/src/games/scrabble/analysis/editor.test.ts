import { describe, expect, it } from 'vitest';
import { CENTRE } from '../squares';
import type { Candidate, SimulateAnswer, SimulateQuestion } from '../types.gen';
import { Editor } from './editor.svelte';
import {
  cleanRack,
  EMPTY_GRID,
  lettersOf,
  linkFrom,
  readGrid,
  readLink,
  unseenTiles,
  writeGrid,
  writeLink,
} from './position';
import { meanOf, Simulation } from './simulation.svelte';

const play: Candidate = {
  kind: 'place',
  at: 'H8',
  word: 'MOtS',
  tiles: 'MOtS',
  score: 10,
  leave: 'AE',
  keep: 1,
  equity: 11,
  bingo: false,
};

function written(...words: [square: number, down: boolean, word: string][]): Editor {
  const editor = new Editor();
  for (const [square, down, word] of words) {
    editor.cursor = { square, down };
    expect(editor.writeWord(word)).toBeNull();
  }
  return editor;
}

describe('the editor', () => {
  it('writes words across and down', () => {
    const editor = written([CENTRE, false, 'MOtS'], [CENTRE, true, 'MAIN']);
    expect(editor.spot.grid.slice(CENTRE, CENTRE + 4)).toBe('MOtS');
    expect([0, 1, 2, 3].map((row) => editor.spot.grid[CENTRE + 15 * row]).join('')).toBe('MAIN');
    expect(editor.cursor).toEqual({ square: CENTRE + 60, down: true });
  });

  it('refuses a word that crosses another letter, leaves the board or is no word', () => {
    const editor = written([CENTRE, false, 'MOTS']);
    editor.cursor = { square: CENTRE, down: true };
    expect(editor.writeWord('SAC')).toEqual({
      code: 'contradicts',
      values: { word: 'SAC', square: 'H8', letter: 'M' },
    });
    editor.cursor = { square: 14, down: false };
    expect(editor.writeWord('SA')?.code).toBe('off_board');
    expect(editor.writeWord('S1')?.code).toBe('not_letters');
    expect(editor.spot.grid).toContain('MOTS');
  });

  it('types and erases letters at the cursor', () => {
    const editor = new Editor();
    editor.point(CENTRE);
    editor.type('A');
    editor.type('s');
    expect(editor.spot.grid.slice(CENTRE, CENTRE + 2)).toBe('As');
    editor.erase();
    expect(editor.spot.grid.slice(CENTRE, CENTRE + 2)).toBe('A.');
    editor.undo();
    expect(editor.spot.grid.slice(CENTRE, CENTRE + 2)).toBe('As');
    editor.clear();
    expect(editor.spot.grid).toBe(EMPTY_GRID);
  });

  it('plays a turn: the score counts, the tiles leave the rack, the other player is to act', () => {
    const editor = new Editor();
    editor.setRack('AEMOS?');
    editor.play(play);
    expect(editor.spot).toMatchObject({ scores: [10, 0], racks: ['AE', ''], toAct: 1 });
    expect(editor.last).toEqual(new Set([CENTRE, CENTRE + 1, CENTRE + 2, CENTRE + 3]));
    editor.go(0);
    expect(editor.rack).toBe('AEMOS?');
    editor.setRack('ZZ');
    expect(editor.spots).toHaveLength(1);
    editor.undo();
    expect(editor.spots).toHaveLength(2);
  });

  it('drops the turns before a board that was changed by hand', () => {
    const editor = new Editor();
    editor.setRack('AEMOS?');
    editor.play(play);
    editor.cursor = { square: 0, down: false };
    editor.type('A');
    expect(editor.spots).toHaveLength(1);
    expect(editor.spot).toMatchObject({ turn: null, scores: [10, 0], toAct: 1 });
  });
});

describe('a position as text', () => {
  const grid = written([CENTRE, false, 'MOtS']).spot.grid;

  it('comes back from its address', () => {
    expect(readGrid(writeGrid(grid))).toBe(grid);
    const linked = { grid, rack: 'AE?', scores: [10, -4], toAct: 1, lexicon: 'maison:0123456789abcdef' };
    expect(readLink(new URL(writeLink(linked), 'http://x').search)).toEqual(linked);
  });

  it.each(['', '15', '15/'.repeat(15), '999999999/'.repeat(14) + '15', '1<5/'.repeat(15)])('%s is no board', (text) =>
    expect(readGrid(text)).toBeNull(),
  );

  it('counts the tiles that are left', () => {
    const left = unseenTiles(grid, 'KK');
    expect(left.get('K')).toBe(-1);
    expect(left.get('?')).toBe(1);
    expect(left.get('M')).toBe(2);
  });

  it('links a match of the server as a whole, and an uploaded file by its position', () => {
    const view = { board: EMPTY_GRID.match(/.{15}/g), rack: 'AE', scores: [1, 2], to_act: 0, log: [1, 2], options: {} };
    expect(linkFrom({ view: view as never, seat: 1, id: 'KORA-1' })).toBe('/analyse/scrabble?partie=KORA-1&tour=2');
    const link = linkFrom({ view: view as never, seat: 1, id: null });
    expect(readLink(new URL(link, 'http://x').search)).toMatchObject({ rack: 'AE', scores: [1, 2], toAct: 1 });
  });

  it('reads what people type', () => {
    expect(cleanRack(' éa*t ')).toBe('EA?T');
    expect(lettersOf('été')).toBe('ETE');
    expect(lettersOf('MOTs')).toBe('MOTs');
  });
});

describe('a simulation', () => {
  it('adds pieces up until it is stopped', async () => {
    const asked: SimulateQuestion[] = [];
    const simulation = new Simulation((question) => {
      asked.push(question);
      if (asked.length === 3) simulation.stop();
      const sums = [{ play: 0, trials: 2, total: 2 * asked.length, squares: 2 * asked.length ** 2 }];
      return Promise.resolve<SimulateAnswer>({ next: 2 * asked.length, sums, exact: false, finished: false });
    });
    await simulation.start({ board: [], rack: 'A' }, [play]);
    expect(asked.map(({ first }) => first)).toEqual([0, 2, 4]);
    expect(simulation.running).toBe(false);
    expect(simulation.values.get('H8 MOtS')).toMatchObject({ trials: 4, mean: 1.5 });
  });

  it('stops with the reason if the server refuses', async () => {
    const simulation = new Simulation(() => Promise.reject(new Error('no')));
    await simulation.start({ board: [], rack: 'A' }, [play]);
    expect(simulation).toMatchObject({ running: false, problem: new Error('no') });
  });

  it('knows the standard error', () => {
    expect(meanOf({ trials: 4, total: 8, squares: 24, exact: false })).toMatchObject({
      mean: 2,
      error: Math.sqrt(8 / 3 / 4),
    });
  });
});
