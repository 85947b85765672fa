import { Controller, Get, Header } from '@nestjs/common';
import { script } from './script.js';
import { style } from './style.js';

/** Browsers keep these files for a year: the page names their hash. */
const kept = ['Cache-Control', 'public, max-age=31536000, immutable'] as const;

/** The files that every page loads. */
@Controller('portal')
export class AssetsController {
  @Get('style.css')
  @Header(...kept)
  @Header('Content-Type', 'text/css; charset=utf-8')
  style(): string {
    return style;
  }

  @Get('icon.svg')
  @Header('Cache-Control', 'public, max-age=86400')
  @Header('Content-Type', 'image/svg+xml')
  icon(): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5c8a"/><path d="M9 9l14 14M23 9L9 23" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`;
  }

  @Get('portal.js')
  @Header(...kept)
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  script(): string {
    return script;
  }
}
