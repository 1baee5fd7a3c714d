// The Worker with a way to trap, as in trapping.mjs, and one to ask the platform for its browsers: loaded in its
// place by the tests of the binding, and by nothing else.
import Worker, { BudgetObject, RunObject } from './trapping.mjs';

export { BudgetObject, RunObject };

export default class extends Worker {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/health' || !searchParams.has('browsers')) return super.fetch(request);
    return this.env.BROWSER.fetch('https://browser/v1/sessions');
  }
}
