// What jsdom leaves out of a browser and the client needs in its tests.
globalThis.matchMedia ??= (media: string) =>
  Object.assign(new EventTarget(), { media, matches: false }) as unknown as MediaQueryList;
