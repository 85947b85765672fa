import { Controller, Get, Header } from '@nestjs/common';
import { script } from './script.js';
import { style } from './style.js';
import { htmx } from './vendored.js';

/** Browsers keep these files for a year: the page names their version or hash. */
const kept = ['Cache-Control', 'public, max-age=31536000, immutable'] as const;
const javascript = ['Content-Type', 'text/javascript; charset=utf-8'] as const;

/** The files that every page loads. They contain nothing of the bank and need no sign-in. */
@Controller('assets')
export class AssetsController {
  @Get('style.css')
  @Header(...kept)
  @Header('Content-Type', 'text/css; charset=utf-8')
  style(): string {
    return style;
  }

  @Get('console.js')
  @Header(...kept)
  @Header(...javascript)
  script(): string {
    return script;
  }

  @Get('htmx.js')
  @Header(...kept)
  @Header(...javascript)
  htmx(): string {
    return htmx;
  }
}
