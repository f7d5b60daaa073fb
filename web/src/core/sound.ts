// Small sounds of wood and paper, made on the spot: nothing is downloaded. Silent until the person asks for sound.
import { settings } from './settings.svelte';

let context: AudioContext | null = null;

function fade(audio: AudioContext, at: number, loudness: number, lasts: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  gain.connect(audio.destination);
  return gain;
}

function noise(audio: AudioContext, at: number, lasts: number, pitch: number, width: number, loudness: number): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * lasts), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = width;
  source.connect(filter).connect(fade(audio, at, loudness, lasts));
  source.start(at);
}

function knock(audio: AudioContext, at: number, pitch: number, loudness: number): void {
  const body = audio.createOscillator();
  body.type = 'sine';
  body.frequency.setValueAtTime(pitch * 1.4, at);
  body.frequency.exponentialRampToValueAtTime(pitch, at + 0.03);
  body.connect(fade(audio, at, loudness, 0.14));
  body.start(at);
  body.stop(at + 0.15);
  noise(audio, at, 0.03, pitch * 5, 1.2, loudness * 0.5);
}

const SOUNDS = {
  /** Someone played: paper on cloth. */
  move: (audio: AudioContext, at: number) => noise(audio, at, 0.09, 2600, 0.7, 0.16),
  /** It is your turn: two knocks on wood, the second higher. */
  turn: (audio: AudioContext, at: number) => {
    knock(audio, at, 330, 0.3);
    knock(audio, at + 0.13, 440, 0.34);
  },
  /** Somebody sits down or asks for a rematch: a glass touched lightly. */
  call: (audio: AudioContext, at: number) => {
    knock(audio, at, 660, 0.2);
    knock(audio, at + 0.16, 880, 0.24);
  },
  /** One of the last seconds on a clock. */
  tick: (audio: AudioContext, at: number) => knock(audio, at, 990, 0.14),
  /** The match is over: three knocks, settling. */
  over: (audio: AudioContext, at: number) => {
    knock(audio, at, 440, 0.26);
    knock(audio, at + 0.14, 370, 0.26);
    knock(audio, at + 0.3, 294, 0.34);
  },
};

export type SoundName = keyof typeof SOUNDS;

/** A browser plays no sound before the first touch. A sound that waited longer than this is dropped. */
const STALE = 500;

export function play(name: SoundName): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  const audio = (context ??= new AudioContext());
  const asked = Date.now();
  void audio.resume().then(() => {
    if (Date.now() - asked < STALE) SOUNDS[name](audio, audio.currentTime + 0.01);
  });
}
