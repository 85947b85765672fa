import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A position in an account's history, and the direction in which the page is read from there. */
export interface PageCursor {
  readonly direction: 'older' | 'newer';
  /** `pending_at` of the entry, in epoch milliseconds. */
  readonly atMs: number;
  /** UUID of the entry. */
  readonly entryId: string;
}

const bodyBytes = 25;
const sealBytes = 16;

const seal = (body: Buffer, accountId: string, key: KeyObject): Buffer =>
  createHmac('sha256', key).update(accountId).update(body).digest().subarray(0, sealBytes);

/** Seals a cursor into a text that is opaque to the TPP and valid only for this account. */
export const writeCursor = (cursor: PageCursor, accountId: string, key: KeyObject): string => {
  const body = Buffer.alloc(bodyBytes);
  body.writeUInt8(cursor.direction === 'older' ? 0 : 1, 0);
  body.writeBigInt64BE(BigInt(cursor.atMs), 1);
  body.write(cursor.entryId.replaceAll('-', ''), 9, 'hex');
  return Buffer.concat([body, seal(body, accountId, key)]).toString('base64url');
};

/** Parses a cursor. Undefined for a text that this bank did not issue for this account. */
export const readCursor = (text: string, accountId: string, key: KeyObject): PageCursor | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== bodyBytes + sealBytes || bytes.toString('base64url') !== text) return undefined;
  const body = bytes.subarray(0, bodyBytes);
  if (!timingSafeEqual(bytes.subarray(bodyBytes), seal(body, accountId, key))) return undefined;
  return {
    direction: body.readUInt8(0) === 0 ? 'older' : 'newer',
    atMs: Number(body.readBigInt64BE(1)),
    entryId: body.toString('hex', 9).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  };
};
