import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { StaffGuard } from '../staff/staff.guard.js';
import { PageFilter } from './page.filter.js';
import { PageInterceptor } from './page.interceptor.js';

/** Marks a controller of pages: each handler is open only to the roles that it names. */
export const StaffPages = (path = ''): ClassDecorator =>
  applyDecorators(
    Controller(path),
    UseGuards(StaffGuard),
    UseInterceptors(PageInterceptor),
    UseFilters(PageFilter),
  );
