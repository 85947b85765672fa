/** A 32-byte key and the name by which rows refer to it. */
export interface NamedKey {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Reads keys separated by white space, each in the form of a name, a colon and 32 bytes as base64. Returns
 * undefined if there are no keys, one is malformed, or two have the same name.
 */
export const readNamedKeys = (text: string): readonly NamedKey[] | undefined => {
  const keys = text.split(/\s+/).flatMap((part) => (part === '' ? [] : [readKey(part)]));
  const known = keys.filter((key) => key !== undefined);
  const areAllGood = known.length > 0 && known.length === keys.length;
  return areAllGood && new Set(known.map(({ name }) => name)).size === known.length ? known : undefined;
};

const readKey = (text: string): NamedKey | undefined => {
  const [, name, base64] = /^([\w.-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(text) ?? [];
  return name === undefined || base64 === undefined
    ? undefined
    : { name, bytes: Buffer.from(base64, 'base64') };
};
