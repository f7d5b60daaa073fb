import { describe, expect, it } from 'vitest';
import { Question } from './question.svelte';

describe('Question', () => {
  it('is busy until the answer comes, and forgets the last problem', async () => {
    const question = new Question<number>(String);
    question.refuse('too short');
    const asked = question.ask(() => Promise.resolve(7));
    expect([question.busy, question.problem]).toEqual([true, '']);
    await asked;
    expect([question.busy, question.answer]).toEqual([false, 7]);
  });

  it('says why there is no answer, and shows no old one', async () => {
    const question = new Question<number>((error) => (error as Error).message);
    await question.ask(() => Promise.resolve(7));
    await question.ask(() => Promise.reject(new Error('the server is down')));
    expect([question.busy, question.answer, question.problem]).toEqual([false, null, 'the server is down']);
  });
});
