import { describe, expect, it } from '@jest/globals';
import { type ConfigSpec, retentionConfig } from '@xs2a/runtime/config';
import { readText } from '../sources.js';
import { appConfigs } from './reference.js';

const isRetention = /_(DAYS|MONTHS|YEARS)$/;
const page = readText('docs/how-to/retention.md').replaceAll(/ +/g, ' ');

/** Returns the table cells that the page must contain for each setting: `NAME` = default (limits). */
const sayings = async (): Promise<string[]> => {
  const specs: ConfigSpec[] = [retentionConfig, ...(await appConfigs()).values()];
  const settings = new Map(specs.flatMap((spec) => Object.entries(spec)));
  return [...settings]
    .filter(([name]) => isRetention.test(name))
    .map(
      ([name, { form, fallback }]) => `\`${name}\` = ${String(fallback)} (${/\d+ to \d+$/.exec(form)?.[0]})`,
    );
};

describe('docs/how-to/retention.md', () => {
  it('shows the default and limits of every setting', async () => {
    const expected = await sayings();
    expect(expected.length).toBeGreaterThan(10);
    expect(expected.filter((saying) => !page.includes(`| ${saying}`))).toEqual([]);
  });

  it('names only settings that exist', async () => {
    const known = new Set((await sayings()).map((saying) => saying.split('`')[1]));
    const named = [...page.matchAll(/`([A-Z_]+)` = /g)].map(([, name]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
