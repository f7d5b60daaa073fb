// Round numbers for the axis of a chart.

/** Three to six round numbers, evenly spaced; the first is below all values and the last above them. */
export function ticks(least: number, most: number): number[] {
  const range = most - least || Math.max(1, Math.abs(most) / 5);
  const rough = range / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find((one) => one * power >= rough)! * power);
  const first = Math.floor((most === least ? least - step : least) / step);
  const last = Math.ceil((most === least ? most + step : most) / step);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}
