using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "shop", worker = .shop),
    # The sandbox is on this machine.
    (name = "internet", network = (allow = ["local", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "shop")],
);

const shop :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "worker.js", esModule = embed "dist.js"),
    (name = "client-core.wasm?module", wasm = embed "node_modules/card-widget/client-core.wasm"),
  ],
);
