import type { Session } from './session.js';

export function expired(sessions: Session[], now = Date.now()): Session[] {
  return sessions.filter((session) => session.expires <= now);
}
