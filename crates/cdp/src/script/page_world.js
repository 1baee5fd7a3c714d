// Runs in the own world of each page, frame and worker before its scripts. `channel` is the name of the events that only
// the run's script listens to. `origins` are those that WebSockets may reach; null if the browser's proxy guards them.
// `taken` names what would send packets past the guard or would outlive the page. With `keepsFiles`, the run's script gets
// what a page has made for a download, even if the page has let go of it, or forbids itself to read it.
//
// What is taken away fails as it does in browsers whose owners forbid it, so that pages can go on without it. Since pages
// may replace what they find, everything that is called later is kept from the beginning, and the traps of proxies have no
// prototype, at which pages could add traps of their own.
(channel, origins, taken, keepsFiles) => {
  const { apply, construct } = Reflect;
  const own = globalThis;
  const { FocusEvent: Announcement, Event: Plain, DOMException: Failure, URL: Address, dispatchEvent: dispatch } = own;
  const getterOf = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const [hrefOf, protocolOf, hostOf] = [
    getterOf(Address, 'href'), getterOf(Address, 'protocol'), getterOf(Address, 'host'),
  ];
  const isDocument = Announcement !== undefined;
  // A worker that has not begun has no address yet, so its getters are kept and called later.
  const [placeOf, baseOf] = isDocument
    ? [() => document, getterOf(Node, 'baseURI')]
    : [getterOf(WorkerGlobalScope, 'location'), getterOf(WorkerLocation, 'href')];
  const replaceConstructor = (name, traps) => {
    own[name] = new Proxy(own[name], traps);
    own[name].prototype.constructor = own[name];
  };
  const failure = (what, name) => {
    if (isDocument) apply(dispatch, own, [new Plain(`${channel}!${what}`)]);
    return new Failure(`${what} is not available.`, name);
  };

  for (const what of taken) {
    if (typeof own[what] !== 'function') continue;
    const name = what === 'SharedWorker' ? 'SecurityError' : 'NotSupportedError';
    replaceConstructor(what, { __proto__: null, construct() { throw failure(what, name); } });
  }
  delete own.WebSocketStream;
  const workers = own.ServiceWorkerContainer?.prototype;
  if (workers !== undefined) {
    const reject = Promise.reject.bind(Promise);
    workers.register = new Proxy(workers.register, {
      __proto__: null, apply: () => reject(failure('ServiceWorker', 'SecurityError')),
    });
  }

  if (origins !== null) {
    const isAllowed = (origin) => {
      for (let at = 0; at < origins.length; at += 1) if (origins[at] === origin) return true;
      return false;
    };
    const schemes = { __proto__: null, 'ws:': 'http://', 'wss:': 'https://', 'http:': 'http://', 'https:': 'https://' };
    replaceConstructor('WebSocket', {
      __proto__: null,
      construct(socket, args, made) {
        let address = `${args[0]}`;
        let origin = null;
        try {
          const url = new Address(address, apply(baseOf, apply(placeOf, own, []), []));
          address = apply(hrefOf, url, []);
          origin = schemes[apply(protocolOf, url, [])] + apply(hostOf, url, []);
        } catch {
          // The browser's own error says what is wrong with the address.
        }
        if (origin !== null && !isAllowed(origin)) throw failure('WebSocket', 'SecurityError');
        return construct(socket, args.length > 1 ? [address, args[1]] : [address], made);
      },
    });
  }

  if (!isDocument) return;
  if (keepsFiles) {
    const FILES_MAX = 20;
    const BYTES_MAX = 2500000;
    const sizeOf = getterOf(own.Blob, 'size');
    const { Blob: Bytes, File: Named, DataTransfer: Transfer } = own;
    const [typeOf, itemsOf, filesOf] = [
      getterOf(Bytes, 'type'), getterOf(Transfer, 'items'), getterOf(Transfer, 'files'),
    ];
    const { add } = DataTransferItemList.prototype;
    const setFiles = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'files').set;
    const [create, set] = [Document.prototype.createElement, Element.prototype.setAttribute];
    const made = { __proto__: null };
    let count = 0;
    Address.createObjectURL = new Proxy(Address.createObjectURL, {
      __proto__: null,
      apply(createAddress, self, args) {
        const url = apply(createAddress, self, args);
        try {
          if (apply(sizeOf, args[0], []) > BYTES_MAX) return url;
        } catch {
          return url;
        }
        made[count % FILES_MAX] = { __proto__: null, url, bytes: args[0] };
        count += 1;
        return url;
      },
    });
    // Only a node passes from one world to another, so the bytes are in a field for files.
    own.addEventListener(`${channel}>`, () => {
      for (let at = 0; at < FILES_MAX && made[at] !== undefined; at += 1) {
        const { url, bytes } = made[at];
        const transfer = new Transfer();
        apply(add, apply(itemsOf, transfer, []), [new Named([bytes], 'made', { type: apply(typeOf, bytes, []) })]);
        const field = apply(create, document, ['input']);
        apply(set, field, ['type', 'file']);
        apply(set, field, ['title', url]);
        apply(setFiles, field, [apply(filesOf, transfer, [])]);
        apply(dispatch, own, [new Announcement(`${channel}<`, { relatedTarget: field })]);
      }
    });
  }
  const closed = [];
  const CLOSED_MAX = 10000;
  const { deref } = WeakRef.prototype;
  const Reference = WeakRef;
  const modeOf = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'mode').get;
  const announce = (root) => apply(dispatch, own, [new Announcement(channel, { relatedTarget: root })]);
  Element.prototype.attachShadow = new Proxy(Element.prototype.attachShadow, {
    __proto__: null,
    apply(attach, host, args) {
      const root = apply(attach, host, args);
      if (apply(modeOf, root, []) === 'closed' && closed.length < CLOSED_MAX) {
        closed[closed.length] = new Reference(root);
        announce(root);
      }
      return root;
    },
  });
  own.addEventListener(`${channel}?`, () => {
    for (let at = 0; at < closed.length; at += 1) {
      const root = apply(deref, closed[at], []);
      if (root !== undefined) announce(root);
    }
  });
}
