import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * Text that the personal data of most payments and consents contain: member names, and the start of typical
 * values. Stored data were compressed with this dictionary, so it must never change; a new dictionary requires a
 * new format.
 */
const dictionary = Buffer.from(
  '"chosenIbans":["access":{"accounts":[{"iban":"BG"}],"balances":[{"iban":"BG"}],"transactions":[{"iban":"BG"}]},"accounts":[{"iban":"BG","resourceId":"' +
    '"notification":{"uri":"https://","content":["SCA","PROCESS","LAST"]},"authorisations":[{"psuId":"","namedPsuId":"","redirectUris":{"ok":"https://","nok":"https://' +
    '{"body":{"startDate":"20","frequency":"Monthly","payments":[{"endToEndIdentification":"","instructedAmount":{"currency":"EUR","amount":"10.00"},"instructedAmount":{"currency":"BGN","amount":"' +
    '"},"debtorAccount":{"iban":"BG"},"creditorAccount":{"iban":"BG"},"creditorAgent":"","creditorName":"","remittanceInformationUnstructured":"","requestedExecutionDate":"20' +
    '"},"order":{"debtorIban":"BG","creditorAccount":"BG","creditorName":"","remittance":"","endToEndId":"","psuId":"',
);
const windowBits = 11;
const plain = 0;
const deflated = 1;
/** Compression does not shrink texts shorter than this. */
const minLength = 64;

/** A format byte, followed by the text, deflated (RFC 1951) if that makes it smaller. */
export const compress = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  if (bytes.length >= minLength) {
    // The working memory is cleared on each call, and a small amount is enough for a few hundred bytes.
    const small = deflateRawSync(bytes, { dictionary, windowBits, memLevel: 1 });
    if (small.length < bytes.length) return Buffer.concat([Buffer.of(deflated), small]);
  }
  return Buffer.concat([Buffer.of(plain), bytes]);
};

/** Decodes bytes created by {@link compress}. Throws RangeError for a format that this release does not support. */
export const decompress = (bytes: Buffer): string => {
  const [form, content] = [bytes[0], bytes.subarray(1)];
  if (form === plain) return content.toString('utf8');
  if (form === deflated) return inflateRawSync(content, { dictionary, windowBits }).toString('utf8');
  throw new RangeError(`there is no form ${form} of personal data`);
};
