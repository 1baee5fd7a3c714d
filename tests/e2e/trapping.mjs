// The Worker as the platform loads it, with a way to make its WebAssembly module trap in the middle
// of a run: loaded in its place by the tests with traps, and by nothing else.
import { plan, plans } from './traps.mjs';
import Worker, { BudgetObject, RunObject } from '../../src/isolate.mjs';

export { BudgetObject, RunObject };

export default class extends Worker {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/health' || !searchParams.has('trap')) return super.fetch(request);
    plan(searchParams.get('trap'), searchParams.get('suspect'));
    return Response.json(plans);
  }
}
