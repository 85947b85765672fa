import { type Html, html } from '@xs2a/html/html';
import { page } from '../pages/layout.js';
import { explorerScriptHash } from './explorer-script.js';
import { swaggerUiVersion } from './swagger-ui.js';

/** The page on which calls can be tried. Only this page loads Swagger UI. */
export const explorerPage = (): Html =>
  page({
    path: '/reference/explorer',
    title: 'Explorer',
    head: html`<link rel="stylesheet" href="/portal/explorer/swagger-ui.css?v=${swaggerUiVersion}" />
      <script src="/portal/explorer/swagger-ui.js?v=${swaggerUiVersion}" defer></script>
      <script src="/portal/explorer/explorer.js?v=${explorerScriptHash}" defer></script>`,
    body: html`<p class="up"><a href="/reference">API reference</a></p>
      <h1>Explorer</h1>
      <p class="lead">
        Calls this bank from your browser. <a href="/reference/token">Get an access token</a> first, and enter
        it under <b>Authorize</b>; it is gone when you leave the page.
      </p>
      <noscript
        ><p>The explorer needs scripts. The <a href="/reference">reference</a> does not.</p></noscript
      >
      <div id="explorer"></div>`,
  });
