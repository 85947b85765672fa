import { describe, expect, it } from '@jest/globals';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isSpec, listImports, readText, repositoryFiles } from './sources.js';

/** The names of OpenTelemetry's attributes and the reasons why some are deprecated. */
const folder = dirname(
  createRequire(import.meta.url).resolve('@opentelemetry/semantic-conventions/incubating'),
);
const isDeprecated = new Map(
  ['stable', 'experimental'].flatMap((kind) =>
    [
      ...readFileSync(join(folder, `${kind}_attributes.d.mts`), 'utf8').matchAll(
        /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*declare const (?:ATTR_\w+): "([\w.]+)"/g,
      ),
    ].map(([, comment = '', name = '']): [string, boolean] => [name, comment.includes('@deprecated')]),
  ),
);

const makesSpans = (file: string): boolean =>
  file.startsWith('libs/observability/src/tracing/') ||
  listImports(readText(file)).some((name) => name === '@xs2a/observability/tracing/spans');
const files = repositoryFiles().filter(
  (file) => /^(?:apps|libs)\/.*\.ts$/.test(file) && !isSpec(file) && makesSpans(file),
);
/** The attributes that these files set. */
const attributes = new Set(
  files.flatMap((file) =>
    [...readText(file).matchAll(/'([a-z]\w*(?:\.\w+)+)':|setAttribute\('([\w.]+)'/g)].map(
      ([, key, name = '']) => key ?? name,
    ),
  ),
);
const ours = [...attributes].filter((name) => name.startsWith('xs2a.')).sort();

describe('the attributes of spans (ADR 76)', () => {
  it('are those of OpenTelemetry’s semantic conventions, and none that is deprecated', () => {
    expect(Object.values(conventions)).toContain('http.route');
    const standard = [...attributes].filter((name) => !ours.includes(name));
    expect(standard.length).toBeGreaterThan(15);
    expect(standard.filter((name) => isDeprecated.get(name) !== false)).toEqual([]);
  });

  it('apart from them, are these ids and words, which are no personal data', () => {
    expect(ours).toEqual([
      'xs2a.dependency',
      'xs2a.error_code',
      'xs2a.event_types',
      'xs2a.request_id',
      'xs2a.stream_id',
      'xs2a.tpp_id',
    ]);
  });

  it('contain no URL, path or query, in which a client can send anything', () => {
    expect(
      [...attributes].filter((name) => /^(?:url|server\.address|client|user|enduser)/.test(name)),
    ).toEqual([]);
  });
});
