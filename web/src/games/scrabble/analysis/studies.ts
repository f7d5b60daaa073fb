// What the page asks the server, and the words for what it refuses.
import { askStudy } from '../../../core/api';
import { refusalText } from '../../../core/labels';
import type {
  AnagramsAnswer,
  AnagramsQuestion,
  ExportAnswer,
  ExportQuestion,
  HooksAnswer,
  HooksQuestion,
  OpenAnswer,
  OpenQuestion,
  PlaysAnswer,
  PlaysQuestion,
  SimulateAnswer,
  SimulateQuestion,
} from '../types.gen';
import { t } from './words';

export const askPlays = (question: PlaysQuestion) => askStudy<PlaysAnswer>('scrabble', 'plays', question);
export const askSimulation = (question: SimulateQuestion) => askStudy<SimulateAnswer>('scrabble', 'simulate', question);
export const askAnagrams = (question: AnagramsQuestion) => askStudy<AnagramsAnswer>('scrabble', 'anagrams', question);
export const askHooks = (question: HooksQuestion) => askStudy<HooksAnswer>('scrabble', 'hooks', question);
export const askOpen = (question: OpenQuestion) => askStudy<OpenAnswer>('scrabble', 'open', question);
export const askExport = (question: ExportQuestion) => askStudy<ExportAnswer>('scrabble', 'export', question);

/** The words for a refusal: those of the analysis, else those of the game or the site. */
export function problemText(error: unknown): string {
  const problem = error as { code: string; values?: Record<string, unknown> };
  return t.find(`refusals.${problem.code}`, problem.values) ?? refusalText(problem, 'scrabble');
}
