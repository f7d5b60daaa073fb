// A question to the server: its answer, or why there is none.

export class Question<Answer> {
  answer = $state.raw<Answer | null>(null);
  problem = $state('');
  busy = $state(false);

  /** `explain` puts an error into words. */
  constructor(private explain: (error: unknown) => string) {}

  async ask(work: () => Promise<Answer>): Promise<void> {
    this.busy = true;
    this.problem = '';
    try {
      this.answer = await work();
    } catch (error) {
      this.refuse(this.explain(error));
    } finally {
      this.busy = false;
    }
  }

  refuse(problem: string): void {
    this.answer = null;
    this.problem = problem;
  }
}
