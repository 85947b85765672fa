import { newId } from '@xs2a/runtime/ids';

/** A UUIDv7 for this time (epoch milliseconds) with random last bits. */
export const idAt = (ms: number): string => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
};
