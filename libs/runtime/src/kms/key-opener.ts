/** One master key as in MASTER_KEYS: its name, and its 32 bytes, in base64 or as a ciphertext for the opener. */
interface MasterKeyText {
  readonly name: string;
  readonly text: string;
}

/**
 * Port: decrypts a master key from the form in which it was delivered. There is one implementation for each way in
 * which banks store master keys.
 */
export interface KeyOpener {
  /** Returns the key in base64. Throws {@link KeysNotOpened}. */
  open(text: string): Promise<string>;
}

/** Thrown when the master keys cannot be read. The message contains the reason and no secret. */
export class KeysNotOpened extends Error {
  override readonly name = 'KeysNotOpened';
}

/** For a secret store that delivers the keys in plain text, in a file or the environment. */
export const plainKeys: KeyOpener = { open: async (text) => Promise.resolve(text) };

const parse = (part: string): MasterKeyText => {
  const [name = '', ...text] = part.split(':');
  return { name, text: text.join(':') };
};

/**
 * Returns the text of MASTER_KEYS with each key decrypted. The form of the keys is checked later, when the setting
 * is read.
 */
export const openKeys = async (text: string, opener: KeyOpener): Promise<string> => {
  const opened: string[] = [];
  for (const part of text.split(/\s+/).filter((one) => one !== '')) {
    const { name, text: closed } = parse(part);
    opened.push(`${name}:${await opener.open(closed)}`);
  }
  return opened.join(' ');
};
