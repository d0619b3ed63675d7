/* Proxies speak HTTP only. */
module.exports = class Socks5ProxyAgent {
  constructor() {
    throw new Error("SOCKS proxies are not supported");
  }
};
