/** One master key as MASTER_KEYS has it: its name, and its 32 bytes in base64 or as the opener's ciphertext. */
interface MasterKeyText {
  readonly name: string;
  readonly text: string;
}

/** Port: turns the text of a master key, as it was delivered, into its bytes. There is one for each way in which a bank keeps them. */
export interface KeyOpener {
  /** Returns the key in base64. Throws {@link KeysNotOpened}. */
  open(text: string): Promise<string>;
}

/** The master keys cannot be read; the message says why and names no secret. */
export class KeysNotOpened extends Error {
  override readonly name = 'KeysNotOpened';
}

/** A secret store delivered the keys themselves, in a file or the environment. */
export const plainKeys: KeyOpener = { open: async (text) => Promise.resolve(text) };

const parse = (part: string): MasterKeyText => {
  const [name = '', ...text] = part.split(':');
  return { name, text: text.join(':') };
};

/** The text of MASTER_KEYS with each key opened; its form is checked when the setting is read. */
export const openKeys = async (text: string, opener: KeyOpener): Promise<string> => {
  const opened: string[] = [];
  for (const part of text.split(/\s+/).filter((one) => one !== '')) {
    const { name, text: closed } = parse(part);
    opened.push(`${name}:${await opener.open(closed)}`);
  }
  return opened.join(' ');
};
