import { newId } from '@xs2a/runtime/ids';

/** Returns a UUIDv7 for the given time (epoch milliseconds) with random final bits. */
export const idAt = (ms: number): string => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
};
