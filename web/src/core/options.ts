// A game's options as a form: read from the JSON Schema that the server sends.
import { isTime } from './labels';

export type Field =
  | { name: string; kind: 'choice'; values: (string | number)[]; default: string | number }
  | { name: string; kind: 'number' | 'time'; least: number; most: number; default: number }
  | { name: string; kind: 'switch'; default: boolean };

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  enum?: (string | number)[];
  type?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

export function optionFields(schema: Record<string, unknown>): Field[] {
  const root = schema as Schema;
  const resolve = (one: Schema): Schema => {
    const target = one.$ref && root.$defs?.[one.$ref.replace('#/$defs/', '')];
    return target ? { ...target, ...one } : one;
  };
  return Object.entries(resolve(root).properties ?? {}).flatMap(([name, raw]) => field(name, resolve(raw)) ?? []);
}

function field(name: string, schema: Schema): Field | null {
  if (schema.enum) {
    const fallback = schema.enum[0] ?? '';
    return { name, kind: 'choice', values: schema.enum, default: (schema.default as string | number) ?? fallback };
  }
  if (schema.type === 'boolean') return { name, kind: 'switch', default: schema.default === true };
  if (schema.type === 'integer') {
    const least = schema.minimum ?? 0;
    return {
      name,
      kind: isTime(name) ? 'time' : 'number',
      least,
      most: schema.maximum ?? 1_000_000,
      default: Number(schema.default ?? least),
    };
  }
  return null;
}

/** Whether a field can have this value. */
export function fits(field: Field, value: unknown): boolean {
  if (field.kind === 'choice') return field.values.some((one) => one === value);
  if (field.kind === 'switch') return typeof value === 'boolean';
  return typeof value === 'number' && value >= field.least && value <= field.most;
}

export function defaults(fields: Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((one) => [one.name, one.default]));
}
