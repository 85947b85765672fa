// Lane: long (it takes half a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAlertRules } from '@xs2a/sandbox/prometheus/configuration';
import { prometheusProgram } from '@xs2a/sandbox/prometheus/program';
import { serviceNames } from '@xs2a/sandbox/services/service-table';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

/** An expectation in promtool's format, except that annotations without `{{` may be left out. */
interface AlertTest {
  readonly eval_time: string;
  readonly alertname: string;
  readonly exp_alerts: readonly {
    readonly exp_labels: Readonly<Record<string, string>>;
    readonly exp_annotations: Readonly<Record<string, string>>;
  }[];
}
interface RuleTests {
  readonly tests: readonly {
    readonly name: string;
    readonly input_series: readonly { readonly series: string; readonly values: string }[];
    readonly alert_rule_test: readonly AlertTest[];
  }[];
}

const files = globSync(join(import.meta.dirname, 'rules/*.yaml'))
  .toSorted()
  .map((file) => ({ name: basename(file), content: parse(readFileSync(file, 'utf8')) as RuleTests }));
const rules = readAlertRules();
const alerts = rules.groups.flatMap((group) => group.rules);
const annotationsOf = (alertname: string): [string, string][] =>
  Object.entries(alerts.find(({ alert }) => alert === alertname)?.annotations ?? {});

/** Adds the annotations that are the same for every alert of a rule, such as the runbook. */
const withAnnotations = ({ tests }: RuleTests): RuleTests['tests'] =>
  tests.map((test) => ({
    ...test,
    alert_rule_test: test.alert_rule_test.map((one) => {
      const constant = annotationsOf(one.alertname).filter(([, text]) => !text.includes('{{'));
      return {
        ...one,
        exp_alerts: one.exp_alerts.map((expected) => ({
          ...expected,
          exp_annotations: { ...Object.fromEntries(constant), ...expected.exp_annotations },
        })),
      };
    }),
  }));

describe('the alert rules (docs/how-to/deploy-components.md)', () => {
  const promtool = prometheusProgram('promtool');
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-rules-'));
  const run = (...args: readonly string[]): { status: number | null; output: string } => {
    const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: folder, encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  };
  beforeAll(() => writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules)));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are accepted by Prometheus', () => {
    const { status, output } = run('check', 'rules', 'rules.json');
    expect([status, output]).toEqual([0, expect.stringContaining(`${alerts.length} rules found`)]);
  });

  it.each(files)('fire as expected in the tests of $name', ({ name, content }) => {
    const tests = { rule_files: ['rules.json'], evaluation_interval: '30s', tests: withAnnotations(content) };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(tests));
    const { status, output } = run('test', 'rules', `${name}.json`);
    expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it.each(alerts.map(({ alert, expr }) => [alert, expr]))(
    'are tested with data for which %s fires, and with data for which it does not',
    (alert, expr) => {
      const tests = files.flatMap(({ content }) =>
        content.tests.map(({ input_series, alert_rule_test }) => ({
          // Without series of the rule's own metrics, a rule that never fires would pass.
          isOfRule: input_series.some(({ series }) => expr.includes(series.split('{')[0] ?? series)),
          expected: alert_rule_test.filter(({ alertname }) => alertname === alert),
        })),
      );
      const of = (isQuiet: boolean): AlertTest[] =>
        tests.flatMap(({ isOfRule, expected }) =>
          expected.filter(({ exp_alerts }) => isOfRule && (exp_alerts.length === 0) === isQuiet),
        );
      expect(of(false)).not.toEqual([]);
      expect(of(true)).not.toEqual([]);
    },
  );

  it('have no test of an alert that does not exist', () => {
    const tested = files.flatMap(({ content }) => content.tests.flatMap((test) => test.alert_rule_test));
    const names = new Set(alerts.map(({ alert }) => alert));
    expect(tested.filter(({ alertname }) => !names.has(alertname))).toEqual([]);
  });

  it.each(['Xs2aInstanceDown', 'Xs2aProcessBusy'])('name every service in %s', (alert) => {
    const { expr = '' } = alerts.find((one) => one.alert === alert) ?? {};
    const jobs = /job=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? [];
    expect(jobs.toSorted()).toEqual(serviceNames.toSorted());
  });
});
