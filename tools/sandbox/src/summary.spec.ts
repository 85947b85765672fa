import { describe, expect, it } from '@jest/globals';
import { serviceNames } from './services/service-table.js';
import { summarise } from './summary.js';

describe('the summary that npm start prints', () => {
  const healthUrls = Object.fromEntries(
    serviceNames.map((service, index) => [service, `http://127.0.0.1:${5001 + index}`]),
  ) as Parameters<typeof summarise>[0]['healthUrls'];
  const sandbox = {
    baseUrl: 'http://127.0.0.1:9123',
    dataDir: '.xs2a/sandbox',
    profile: 'sandbox',
    healthUrls,
  } as const;
  const summary = summarise(sandbox);

  it('names only commands that exist, and the metrics of each service', () => {
    expect(summary).toContain('npm run xs2a -- events tail');
    expect(summary).toContain('npm run xs2a -- doctor');
    expect(summary).not.toMatch(/nats (?:sub|pub|req)/);
    serviceNames.forEach((service, index) =>
      expect(summary).toContain(`http://127.0.0.1:${5001 + index}/metrics   (${service})`),
    );
  });

  it('has the address of Prometheus only if it was started', () => {
    expect(summary).not.toContain('Prometheus');
    expect(summarise({ ...sandbox, prometheusUrl: 'http://127.0.0.1:9124' })).toMatch(
      /Prometheus +│ http:\/\/127\.0\.0\.1:9124\/consoles\/index.html /,
    );
  });

  it('counts the accounts of each person, with the joint account of a bank in euro', () => {
    expect(summary).toContain('password sandbox; 3 accounts, e.g. BG25XSBK92001000000001');
    expect(summary).toContain('password sandbox; 1 account, e.g. BG88XSBK92001000000031');
    expect(summarise({ ...sandbox, profile: 'bg-euro' })).toContain('password sandbox; 4 accounts');
  });

  it('names the profile', () => {
    expect(summary).toMatch(/│ profile +│ sandbox /);
    expect(summarise({ ...sandbox, profile: 'bg-euro' })).toMatch(/│ profile +│ bg-euro /);
  });

  it('lists addresses that respond, on any port', () => {
    expect(summary).toMatch(/│ developer portal +│ http:\/\/127\.0\.0\.1:9123\/ /);
    expect(summary).toContain('http://127.0.0.1:9123/openapi.json');
    expect(summary).not.toMatch(/:8080|:8090/);
  });
});
