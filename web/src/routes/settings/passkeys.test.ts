import { describe, expect, it } from 'vitest';
import { ApiProblem } from '../../core/api';
import { decode, deviceName, encode, meaning } from './passkeys';

describe('base64url', () => {
  it.each([[[]], [[0]], [[251, 255]], [[255, 239, 190, 0]]])('carries the bytes %j there and back', (bytes) => {
    const text = encode(new Uint8Array(bytes).buffer);
    expect(text).toMatch(/^[\w-]*$/);
    expect([...new Uint8Array(decode(text))]).toEqual(bytes);
  });
});

it('says what a browser’s error means, and keeps what the server said', () => {
  expect(meaning(new DOMException('', 'NotAllowedError')).code).toBe('passkey_cancelled');
  expect(meaning(new DOMException('', 'InvalidStateError')).code).toBe('passkey_known');
  expect(meaning(new Error('?')).code).toBe('passkey_failed');
  expect(meaning(new ApiProblem('too_many')).code).toBe('too_many');
});

it('names a new key after the device', () => {
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')).toBe('iPhone');
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64)')).toBe('Linux');
  expect(deviceName('')).toBe('');
});
