import { Controller, Get, Header, Query, Res } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { cacheControlOf } from '@xs2a/runtime/http/kept-file';
import type { FastifyReply } from 'fastify';
import { explorerPolicy } from '../pages/security-headers.js';
import { explorerPage } from './explorer-page.js';
import { explorerScript, explorerScriptHash } from './explorer-script.js';
import { swaggerUiScript, swaggerUiStyle, swaggerUiVersion } from './swagger-ui.js';

const javascript = 'text/javascript; charset=utf-8';

/** Swagger UI, with a policy that only its page has. */
@Controller()
export class ExplorerController {
  @Get('reference/explorer')
  @Header('Content-Security-Policy', explorerPolicy)
  show(): Html {
    return explorerPage();
  }

  @Get('portal/explorer/swagger-ui.js')
  @Header('Content-Type', javascript)
  script(@Query('v') version: unknown, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    reply.header('Cache-Control', cacheControlOf(version, swaggerUiVersion));
    return swaggerUiScript;
  }

  @Get('portal/explorer/swagger-ui.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  style(@Query('v') version: unknown, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    reply.header('Cache-Control', cacheControlOf(version, swaggerUiVersion));
    return swaggerUiStyle;
  }

  @Get('portal/explorer/explorer.js')
  @Header('Content-Type', javascript)
  start(@Query('v') version: unknown, @Res({ passthrough: true }) reply: FastifyReply): string {
    reply.header('Cache-Control', cacheControlOf(version, explorerScriptHash));
    return explorerScript;
  }
}
