import type { KeyState } from '@xs2a/contracts/console/key.contract';

/**
 * The level and the explanation of each state of a signing key or master key. `attention`: a rotation has not ended. `problem`:
 * personal data cannot be decrypted.
 */
export const keyStates: Readonly<
  Record<KeyState, { readonly level: 'good' | 'neutral' | 'attention' | 'problem'; readonly text: string }>
> = {
  signs: { level: 'good', text: 'new signatures are made with it' },
  verifies: { level: 'neutral', text: 'published, so that its signatures can be verified' },
  encrypts: { level: 'good', text: 'new keys are wrapped under it' },
  decrypts: { level: 'attention', text: 'keys are still wrapped under it: the rotation has not ended' },
  listed: { level: 'neutral', text: 'no key in the sample is wrapped under it' },
  missing: { level: 'problem', text: 'keys are wrapped under it, and MASTER_KEYS does not unwrap them' },
};

/** The guide to rotating the signing keys. The console links to it because the rotation has several steps in a fixed order. */
export const signingKeyGuide = 'docs/how-to/rotate-keys.md';

/** The command that wraps every stream key under the first master key in MASTER_KEYS (docs/how-to/erasure.md). */
export const wrapAgain = 'xs2a privacy rotate';
