// The analysis board: a tree of positions, the one that is shown, and what the server says about it.
import { askStudy, type ApiProblem } from '../../../core/api';
import type { FileRead, FileWritten, Look, ReadFile, Seen, WriteFile } from '../types.gen';
import { begin, cut, endOf, grow, nodeAt, play, promote, ROOT, wayTo, type Tree } from './tree';

const GAME = 'dames';
const look = (question: Look) => askStudy<Seen>(GAME, 'look', question);

export class AnalysisBoard {
  tree = $state.raw<Tree>(begin(''));
  at = $state(ROOT);
  /** The position that is shown; until the server has answered, the one before. */
  seen = $state.raw<Seen | null>(null);
  problem = $state.raw<ApiProblem | null>(null);
  /** The games of the last file, and which of them is shown. */
  games = $state.raw<string[]>([]);
  game = $state(0);
  skipped = $state(0);
  /** 0 if light moves first in the tree. */
  first = $state(0);
  #names: [string, string] = ['', ''];
  #result = '';
  #file = '';
  #known = new Map<string, Seen>();
  /** Counts requests, so that an old answer does not replace a newer one. */
  #asked = 0;

  readonly node = $derived(nodeAt(this.tree, this.at));

  /** Starts a new tree from a position; returns whether there is such a position. */
  async open(question: Look): Promise<boolean> {
    const seen = await this.#ask(question);
    if (!seen) return false;
    [this.games, this.skipped, this.#names, this.#result, this.#file] = [[], 0, ['', ''], '', ''];
    this.#plant(begin(seen.state), seen);
    return true;
  }

  /** Shows a game of a PDN file; returns whether it can be read. */
  async read(text: string, game = 0): Promise<boolean> {
    const asked = ++this.#asked;
    try {
      const file = await askStudy<FileRead>(GAME, 'read', { text, game } satisfies ReadFile);
      const seen = await look({ state: file.first });
      if (asked !== this.#asked) return false;
      [this.games, this.game, this.skipped] = [file.games, game, file.skipped];
      [this.#names, this.#result, this.#file] = [file.names, file.result, text];
      this.#plant(grow(file.first, file.moves), seen);
      this.problem = null;
      return true;
    } catch (problem) {
      if (asked === this.#asked) this.problem = problem as ApiProblem;
      return false;
    }
  }

  choose(game: number): Promise<boolean> {
    return this.read(this.#file, game);
  }

  /** The tree as PDN; null if the server refuses. */
  async write(moves: WriteFile['moves']): Promise<string | null> {
    const first = nodeAt(this.tree, ROOT).state;
    const question: WriteFile = { first, moves, names: this.#names, result: this.#result };
    try {
      return (await askStudy<FileWritten>(GAME, 'write', question)).text;
    } catch (problem) {
      this.problem = problem as ApiProblem;
      return null;
    }
  }

  #plant(tree: Tree, seen: Seen): void {
    this.#known.clear();
    this.#known.set(seen.state, seen);
    [this.tree, this.at, this.seen, this.first] = [tree, ROOT, seen, seen.view.to_move];
  }

  /** Plays a legal move, as PDN writes it; a move that is in the tree already is only shown. */
  async play(move: string): Promise<void> {
    const from = this.at;
    const known = this.node.children.find((child) => nodeAt(this.tree, child).move === move);
    if (known !== undefined) return this.go(known);
    const seen = await this.#ask({ state: this.node.state, move });
    if (!seen) return;
    const [tree, id] = play(this.tree, from, { move: seen.played, state: seen.state, comment: '' });
    [this.tree, this.at, this.seen] = [tree, id, seen];
  }

  async go(id: number): Promise<void> {
    this.at = id;
    const seen = await this.#ask({ state: this.node.state });
    if (seen) this.seen = seen;
  }

  back = () => this.go(Math.max(ROOT, this.node.parent));
  forward = () => this.go(this.node.children[0] ?? this.at);
  toStart = () => this.go(ROOT);
  toEnd = () => this.go(endOf(this.tree, this.at));

  promote(): void {
    this.tree = promote(this.tree, this.at);
  }

  cut(): Promise<void> {
    const [tree, before] = cut(this.tree, this.at);
    this.tree = tree;
    return this.go(before);
  }

  /** Goes to the position after so many moves of the main line. */
  goToMove(count: number): Promise<void> {
    const line = wayTo(this.tree, endOf(this.tree, ROOT)).filter((id) => nodeAt(this.tree, id).move !== '--');
    return this.go(count > 0 ? (line[Math.min(count, line.length) - 1] ?? ROOT) : ROOT);
  }

  async #ask(question: Look): Promise<Seen | null> {
    const asked = ++this.#asked;
    const known = question.move ? undefined : this.#known.get(question.state ?? '');
    if (known) return known;
    try {
      const seen = await look(question);
      this.#known.set(seen.state, seen);
      if (asked !== this.#asked) return null;
      this.problem = null;
      return seen;
    } catch (problem) {
      if (asked === this.#asked) this.problem = problem as ApiProblem;
      return null;
    }
  }
}
