import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../layout.js';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
/** The content of a file of rules. */
export interface AlertRules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[];
}

const readYaml = <Content>(file: string): Content => parse(readFileSync(join(root, file), 'utf8')) as Content;

/** Returns the alert rules that Kubernetes and Compose use. */
export const readAlertRules = (): AlertRules =>
  readYaml<{ readonly spec: AlertRules }>('k8s/components/monitoring/rules.yaml').spec;

interface Configuration {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Returns the configuration of Compose with these health URLs by service in place of the names of its containers, so
 * that the labels are the same.
 */
export const sandboxConfiguration = (
  healthUrls: Readonly<Record<string, string>>,
  rulesFile: string,
): Configuration => {
  const ofCompose = readYaml<Configuration>('deploy/prometheus/prometheus.yml');
  const static_configs = Object.entries(healthUrls).map(([service, url]) => ({
    targets: [new URL(url).host],
    labels: { __meta_dns_name: service },
  }));
  return {
    ...ofCompose,
    rule_files: [rulesFile],
    scrape_configs: ofCompose.scrape_configs.map((job) => ({
      ...job,
      dns_sd_configs: undefined,
      static_configs,
    })),
  };
};
