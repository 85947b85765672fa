import type { Profile } from '@xs2a/domain/profile/profile';
import { casesAt, errorCodes, isReturnedAt } from '../errors/error-codes.js';
import type { Guide } from './guides.js';

/**
 * The guides and error codes as one text for language models (llmstxt.org), with the addresses of this bank and the
 * texts that a bank with this profile returns.
 */
export const llmsText = (guides: readonly Guide[], baseUrl: string, profile: Profile): string => {
  const list = guides.map(
    ({ name, title, summary }) => `- [${title}](${baseUrl}/guides/${name}): ${summary}`,
  );
  const codes = [...errorCodes.keys()]
    .filter((code) => isReturnedAt(code, profile))
    .map((code) => {
      const texts = (casesAt(code, profile) ?? []).flatMap((one) => one.texts);
      return `- [${code}](${baseUrl}/errors/${code}): ${[...new Set(texts)].join(' ')}`;
    });
  return `# XS2A interface

> Account information, funds confirmation and payment initiation at ${baseUrl} (PSD2, Berlin Group XS2A).

- [API description](${baseUrl}/openapi.json): OpenAPI 3.0
- [Reference](${baseUrl}/reference): a page for each operation
- [Collections](${baseUrl}/collections): all requests for Bruno and Postman
- [Events](${baseUrl}/events): status push

## Guides

${list.join('\n')}

## Errors

${codes.join('\n')}

${guides.map(({ text }) => text.join('\n').replaceAll('](/', `](${baseUrl}/`)).join('\n\n')}
`;
};
