// The browser's side of passkeys: it turns the server's JSON into what WebAuthn takes, and back.
import { addPasskey, ApiProblem, passkeyOptions, signInOptions, signInWithPasskey } from '../../core/api';
import type { Me, PasskeyInfo, PasskeyOptions } from '../../core/types.gen';

const BASE64URL: Record<string, string> = { '+': '-', '/': '_', '=': '' };

export function encode(data: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(data))).replace(/[+/=]/g, (char) => BASE64URL[char]!);
}

export function decode(text: string): ArrayBuffer {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)).buffer;
}

/** Why this page cannot use passkeys; null if it can. */
export function obstacle(): 'insecure' | 'unsupported' | null {
  if (!window.isSecureContext) return 'insecure';
  return 'PublicKeyCredential' in window ? null : 'unsupported';
}

/** What a browser's error means to a person. */
export function meaning(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const codes: Record<string, string> = {
    NotAllowedError: 'passkey_cancelled',
    AbortError: 'passkey_cancelled',
    InvalidStateError: 'passkey_known',
    SecurityError: 'passkey_host',
    NotSupportedError: 'passkey_no_authenticator',
    ConstraintError: 'passkey_no_authenticator',
  };
  return new ApiProblem(codes[(error as Error).name] ?? 'passkey_failed');
}

interface Known {
  id: string;
}

const binary = ({ publicKey }: PasskeyOptions, ...lists: string[]) => ({
  ...publicKey,
  challenge: decode(publicKey.challenge as string),
  ...Object.fromEntries(
    lists.map((list) => [list, (publicKey[list] as Known[]).map((key) => ({ ...key, id: decode(key.id) }))]),
  ),
});

/** Create a passkey for the person of this device. */
export async function createPasskey(name: string): Promise<PasskeyInfo> {
  const options = await passkeyOptions();
  const user = options.publicKey.user as Known;
  const publicKey = { ...binary(options, 'excludeCredentials'), user: { ...user, id: decode(user.id) } };
  const made = (await navigator.credentials.create({
    publicKey: publicKey as unknown as PublicKeyCredentialCreationOptions,
  })) as PublicKeyCredential;
  const answer = made.response as AuthenticatorAttestationResponse;
  return addPasskey({
    name,
    id: encode(made.rawId),
    client_data: encode(answer.clientDataJSON),
    attestation: encode(answer.attestationObject),
  });
}

/** Become the owner of a passkey that the person chooses. */
export async function signIn(): Promise<Me> {
  const publicKey = binary(await signInOptions(), 'allowCredentials');
  const chosen = (await navigator.credentials.get({
    publicKey: publicKey as unknown as PublicKeyCredentialRequestOptions,
  })) as PublicKeyCredential;
  const answer = chosen.response as AuthenticatorAssertionResponse;
  return signInWithPasskey({
    id: encode(chosen.rawId),
    client_data: encode(answer.clientDataJSON),
    authenticator_data: encode(answer.authenticatorData),
    signature: encode(answer.signature),
  });
}

const DEVICES: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'Chromebook'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
];

/** The first name of a new passkey: what this device is. */
export const deviceName = (agent: string) => DEVICES.find(([sign]) => sign.test(agent))?.[1] ?? '';
