import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { spoken } from './announcer.svelte';
import { Note } from './note.svelte';

let note: Note;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  stop = $effect.root(() => {
    note = new Note(1_000);
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

function say(text: string) {
  note.say(text);
  flushSync();
}

it('shows a sentence, reads it out, and clears it after a while', () => {
  say('Un instant.');
  expect(spoken.at(-1)?.text).toBe('Un instant.');
  vi.advanceTimersByTime(999);
  expect(note.text).toBe('Un instant.');
  vi.advanceTimersByTime(1);
  expect(note.text).toBe('');
});

it('gives a new sentence its whole time', () => {
  say('Un instant.');
  vi.advanceTimersByTime(900);
  say('Pas cette carte.');
  vi.advanceTimersByTime(900);
  expect(note.text).toBe('Pas cette carte.');
});

it('stops its timer with the component', () => {
  say('Un instant.');
  stop();
  vi.advanceTimersByTime(5_000);
  expect(note.text).toBe('Un instant.');
});
