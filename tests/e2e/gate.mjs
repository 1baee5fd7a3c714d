// A page that says nothing until a test lets it go on: what has it open is held for as long.
import { createServer } from 'node:http';

/** What the page says then. */
export const GO = 'Go on';

const SCRIPT = "fetch('/go').then((said) => said.text()).then((text) => { document.body.textContent = text; })";
const HEAD = '<!doctype html><title>Gate</title><link rel="icon" href="data:,">';
const PAGE = `${HEAD}<body>Wait<script>${SCRIPT}</script></body>`;

/** Gives where it is, how many pages wait there, and what lets them go on. */
export async function openGate() {
  const waiting = new Set();
  const server = createServer((asked, answer) => {
    answer.setHeader('content-type', 'text/html');
    if (asked.url === '/go') return waiting.add(answer);
    return answer.end(PAGE);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const letGo = () => {
    for (const answer of waiting) answer.end(GO);
    waiting.clear();
  };
  const stop = () => {
    letGo();
    server.closeAllConnections();
    return new Promise((resolve) => { server.close(resolve); });
  };
  const base = `http://127.0.0.1:${server.address().port}`;
  return { base, waiting: () => waiting.size, letGo, stop };
}
