import { describe, expect, it } from '@jest/globals';
import { endpointIds, endpointRules, isSandboxEndpoint } from '@xs2a/gateway/endpoint-rules';
import { readText } from '../sources.js';

describe('docs/how-to/test-your-tpp.md', () => {
  it('lists every operation for which a TPP can plan a fault', () => {
    const [, text = ''] = readText('docs/how-to/test-your-tpp.md').split('| calls of ');
    const [table = ''] = text.split('\n\n');
    const listed = [...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    const possible = endpointIds.filter((id) => !isSandboxEndpoint(endpointRules[id]));
    expect(listed.filter((name) => name !== 'operation').toSorted()).toEqual(possible.toSorted());
  });
});
