import { randomUUID } from 'node:crypto';

export interface Session {
  id: string;
  user: string;
  expires: number;
}

const hour = 60 * 60 * 1000;

export function open(user: string, now = Date.now()): Session {
  return { id: randomUUID(), user, expires: now + hour };
}
