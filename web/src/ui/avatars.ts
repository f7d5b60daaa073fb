// Sixteen small drawings of our own in a box of 48 by 48: a light shape, its lines, and the dark of the details.
export interface Drawing {
  light: string;
  dark?: string;
  /** Light upon the dark: a glint in an eye. */
  spark?: string;
  /** Light lines, dark lines. */
  lightLine?: string;
  darkLine?: string;
}

function dot(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

export const DRAWINGS: Drawing[] = [
  // cat
  {
    light: 'M12 37V11l8.5 7q3.5-1 7 0L36 11v26q-12 6-24 0z',
    dark: dot(19, 26, 2) + dot(29, 26, 2) + 'M21.5 30.5h5L24 33.5z',
    darkLine: 'M13.5 31l4 .6M13.5 35l4-.8M34.5 31l-4 .6M34.5 35l-4-.8',
  },
  // fox
  {
    light: 'M9 10l10 7.5h10L39 10l-2 18-13 12-13-12z',
    dark: dot(18.5, 25, 1.9) + dot(29.5, 25, 1.9) + dot(24, 37, 2.6),
    darkLine: 'M14 29l7 3M34 29l-7 3',
  },
  // owl
  {
    light: 'M10.5 8q5 5.5 13.5 5.5T37.5 8q2 8.5-.5 14v8q0 10.5-13 10.5T11 30v-8q-2.5-5.5-.5-14z',
    dark: dot(18.3, 24, 4) + dot(29.7, 24, 4) + 'M22.4 28h3.2L24 32z',
    spark: dot(18.3, 24, 1.5) + dot(29.7, 24, 1.5),
    darkLine: 'M13.5 15.5L24 20.5l10.5-5M19 36h0M24 36.5h0M29 36h0',
  },
  // bear
  {
    light: dot(14.5, 15, 5) + dot(33.5, 15, 5) + dot(24, 26, 13),
    dark: dot(19, 23, 1.8) + dot(29, 23, 1.8) + 'M20.5 29a3.5 2.6 0 1 0 7 0a3.5 2.6 0 1 0-7 0z',
    darkLine: 'M24 31.5v3',
  },
  // rabbit
  {
    light: 'M19 22C12 9 15 5 17.5 6c3 1 4.5 8 4.5 14zM29 22C36 9 33 5 30.5 6c-3 1-4.5 8-4.5 14z' + dot(24, 29, 11),
    dark: dot(20, 27, 1.8) + dot(28, 27, 1.8) + 'M22.3 31h3.4L24 33z',
    darkLine: 'M24 33v2.5',
  },
  // frog
  {
    light: dot(15.5, 16.5, 5.5) + dot(32.5, 16.5, 5.5) + 'M8 27.5q0-9.5 16-9.5t16 9.5q0 11-16 11T8 27.5z',
    dark: dot(15.5, 16.5, 2.4) + dot(32.5, 16.5, 2.4),
    darkLine: 'M14.5 28.5q9.5 7 19 0',
  },
  // rooster
  {
    light:
      'M14 40q-4-14 3-22.5 4-4.5 9-2.5 6 2.5 6.5 9.5l5.5 3-5.5 2.5q-.5 6-3.5 10zM17 16q-2-6 2.5-4.5Q21 6 24 10.5q4-3 4.5 3.5l-2 2.5z',
    dark: dot(26, 22, 1.9),
    darkLine: 'M18 33q4 3 8 0',
  },
  // fish
  {
    light: 'M6 24Q17 11.5 30 20.5L40 12q-2.5 12 0 24l-10-8.5Q17 36.5 6 24z',
    dark: dot(14, 22.5, 2),
    darkLine: 'M21 18.5q3.5 5.5 0 11',
  },
  // cup
  {
    light: 'M11 18h21v10q0 8-8 8h-5q-8 0-8-8zM9 38.5h26v2.2H9z',
    lightLine: 'M32 21h2.5q4 0 4 4t-4 4h-3M17.5 14q-2-2 0-4t0-4M25.5 14q-2-2 0-4t0-4',
    darkLine: 'M15 22.5v4.5q0 4 4 4.5',
  },
  // croissant
  {
    light: 'M5.5 33Q4 13 24 12.5T42.5 33q-4 3.5-7.5-.5Q33.5 24 24 24t-11 8.5q-3.5 4-7.5.5z',
    darkLine: 'M19 14.5l2 8M29 14.5l-2 8M10.5 21l6 5.5M37.5 21l-6 5.5',
  },
  // teapot
  {
    light: 'M13.5 22q0-5 10.5-5t10.5 5q3 15-4 17h-13q-7-2-4-17zM34 27l6-7 2.5 2-6.5 11z' + dot(24, 14.2, 2.6),
    lightLine: 'M13 24.5q-6-1-5.5 4.5t6.5 5',
    darkLine: 'M16 22.5q8 3 16 0',
  },
  // beret
  {
    light:
      'M7 30Q4 19 17 14.5 32 9.5 39.5 17q5.5 6.5 1 13Q25 24.5 7 30zM10.5 33q14-5 27-2.5l-1 4.5q-13-2-25 2zM25.5 8.5l2.4.6-1.2 5-2.4-.6z',
    darkLine: 'M15 22q9-4.5 18-2.5',
  },
  // lamp
  {
    light: 'M13 28Q14 13 24 13t11 15z' + dot(24, 30.5, 3.6),
    lightLine: 'M24 6v8M24 38v3.5M15.5 35.5l-2.5 3M32.5 35.5l2.5 3',
    darkLine: 'M18 24q1-5 4-6.5',
  },
  // pear
  {
    light: 'M24 15q4.5 0 5.5 6 .8 4 4 8Q36 40 24 40T14.5 29q3.2-4 4-8 1-6 5.5-6zM26.5 11q4-5 9-2.5-3.5 5.5-9 2.5z',
    lightLine: 'M24 16q0-4 2.5-6.5',
    darkLine: 'M19 30.5q0 4 3.5 5.5',
  },
  // moon
  {
    light: 'M28 8a17 17 0 1 0 12 25A16 16 0 0 1 28 8zM36 13l1.4 3.6L41 18l-3.6 1.4L36 23l-1.4-3.6L31 18l3.6-1.4z',
    darkLine: 'M13.5 24q2.5 2 5 0M18 32q3 2.5 6 .5',
  },
  // snail
  {
    light: dot(27.5, 22, 11) + 'M7 20q5-1 5 6 0 6 7 6h22q1 6-4 6H17Q7 38 7 27z',
    lightLine: 'M8 20l-1.5-6M11 20l3-5',
    darkLine: 'M27.5 22q0-2.5 2.5-2.5 3 0 3 3.5 0 4.5-5.5 4.5-6 0-6-6.5 0-4.5 4-6',
  },
];

/** Spread so that neighbours in the list are far apart in colour. */
export function avatarHue(avatar: number): number {
  return (avatar * 67.5 + 25) % 360;
}
