// A site of somebody else's, that embeds <visual-degrees> under a strict policy.
import { createServer } from 'node:http';

/** Serves one page, whose body is in its address: `page(of, body)` is that of the deployment at `of`. */
export async function otherSite() {
  const server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url, 'http://site');
    const origin = query.get('of');
    const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src * data:`;
    response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><head><title>News</title>
      <link rel="icon" href="data:,">
      <script type="module" src="${origin}/visual-degrees.js"></script>
      </head><body><h1>News</h1><main>${query.get('body')}</main><aside></aside></body></html>`);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const base = `http://127.0.0.1:${server.address().port}`;
  const page = (of, body) => `${base}/?${new URLSearchParams({ of, body })}`;
  return { base, page, stop: () => new Promise((resolve) => { server.close(resolve); }) };
}
