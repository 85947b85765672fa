import { describe, expect, it } from '@jest/globals';
import { serviceNames } from './services/service-table.js';
import { summarise } from './summary.js';

describe('the summary that npm start prints', () => {
  const healthUrls = Object.fromEntries(
    serviceNames.map((service, index) => [service, `http://127.0.0.1:${5001 + index}`]),
  ) as Parameters<typeof summarise>[0]['healthUrls'];
  const summary = summarise({ baseUrl: 'http://127.0.0.1:9123', dataDir: '.xs2a/sandbox', healthUrls });

  it('names only commands that exist, and the metrics of each service', () => {
    expect(summary).toContain('npm run xs2a -- events tail');
    expect(summary).toContain('npm run xs2a -- doctor');
    expect(summary).not.toMatch(/nats (?:sub|pub|req)/);
    serviceNames.forEach((service, index) =>
      expect(summary).toContain(`http://127.0.0.1:${5001 + index}/metrics   (${service})`),
    );
  });

  it('has the address of Prometheus only if it was started', () => {
    const sandbox = { baseUrl: 'http://127.0.0.1:9123', dataDir: '.xs2a/sandbox', healthUrls };
    expect(summary).not.toContain('Prometheus');
    expect(summarise({ ...sandbox, prometheusUrl: 'http://127.0.0.1:9124' })).toMatch(
      /Prometheus +│ http:\/\/127\.0\.0\.1:9124\/consoles\/index.html /,
    );
  });

  it('lists addresses that respond, on any port', () => {
    expect(summary).toContain('http://127.0.0.1:9123/docs');
    expect(summary).not.toMatch(/:8080|:8090/);
  });
});
