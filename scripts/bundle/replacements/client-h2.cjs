/* The transport speaks HTTP/1.1 only. */
module.exports = function connectH2() {
  throw new Error("HTTP/2 is not spoken here");
};
