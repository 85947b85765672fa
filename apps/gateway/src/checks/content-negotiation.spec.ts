import { describe, expect, it } from '@jest/globals';
import { acceptsJson, declaresJson } from './content-negotiation.js';

describe('Accept (contract 3: 406)', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;q=0.1',
    'text/html, application/json;q=0.9',
    'text/html,*/*;q=0.1',
    'text/plain, application/xml;q=0.2, */*;q=0.001',
    'application/json;profile="a,b;q=0"',
    'text/html;q=0, */*',
    '*/*;q=0, application/json',
  ])('%s allows JSON', (accept) => {
    expect(acceptsJson(accept)).toBe(true);
  });

  it.each([
    'text/html',
    'application/xml',
    'application/json;q=0',
    'application/json; q=0.000',
    '*/*;q=0',
    'application/*;q=0, */*',
    '*/*, application/json;q=0',
    'application/json+x',
    'application/vnd.api+json',
    'json',
    'image/*',
    ',',
    '"*/*"',
  ])('%s excludes JSON', (accept) => {
    expect(acceptsJson(accept)).toBe(false);
  });
});

describe('Content-Type (contract 3: 415)', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json ; version=1',
  ])('%s is JSON in UTF-8', (contentType) => {
    expect(declaresJson(contentType, undefined)).toBe(true);
    expect(declaresJson(contentType, 'identity')).toBe(true);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
    'application/vnd.api+json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json, text/plain',
    'application/json; charset=',
  ])('%s is not JSON in UTF-8', (contentType) => {
    expect(declaresJson(contentType, undefined)).toBe(false);
  });

  it('rejects a compressed body', () => {
    for (const encoding of ['gzip', 'br', 'identity, gzip'])
      expect(declaresJson('application/json', encoding)).toBe(false);
  });
});
