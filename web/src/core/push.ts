// Push messages to this browser: ask, allow, end. The server sends them only if the person asked for them.
import { lang } from '../i18n';
import { addDevice, getNotifications, removeDevice } from './api';
import { app } from './app.svelte';
import { meetMe } from './me.svelte';

const OWNER = 'tablee.push';

export type PushState = 'on' | 'off' | 'denied' | 'unsupported';

/** Whether this browser can get push messages, and does. */
export async function pushState(): Promise<PushState> {
  const registration = await app.registration;
  if (!registration || !('PushManager' in window) || !('Notification' in window)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await registration.pushManager.getSubscription();
  if (subscription && owner() !== (await meetMe()).id) {
    // The browser belongs to somebody else now, who has not asked for messages.
    await subscription.unsubscribe();
    return 'off';
  }
  return subscription && Notification.permission === 'granted' ? 'on' : 'off';
}

const bytes = (key: string) =>
  Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
const text = (key: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Asks the browser for permission, and the server for messages. */
export async function allowPush(): Promise<PushState> {
  const registration = await app.registration;
  if (!registration) return 'unsupported';
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  const { push_key } = await getNotifications();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytes(push_key),
  });
  await addDevice({
    endpoint: subscription.endpoint,
    p256dh: text(subscription.getKey('p256dh')),
    auth: text(subscription.getKey('auth')),
    lang: lang.current,
  });
  own((await meetMe()).id);
  return 'on';
}

/** Who asked for messages on this device. */
function owner(): string | null {
  try {
    return localStorage.getItem(OWNER);
  } catch {
    return null;
  }
}

function own(person: string): void {
  try {
    localStorage.setItem(OWNER, person);
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** Ends push messages to this browser. */
export async function endPush(): Promise<PushState> {
  const subscription = await (await app.registration)?.pushManager.getSubscription();
  if (subscription) {
    await removeDevice({ endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  return pushState();
}

/** Removes the messages about a table that is open now. */
export async function closeMessages(code: string): Promise<void> {
  const shown = await (await app.registration)?.getNotifications?.({ tag: code });
  for (const message of shown ?? []) message.close();
}
