// Everything wrong with a model file, collected so that a user sees it all at once.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace mbfmu {

struct Diagnostic {
  std::string path;          // JSON path, "/joints/shoulder/between/0"; empty for the whole file
  std::string message;       // what is wrong and what to do
  int line = 0, column = 0;  // only where the text itself is not JSON
};

class Diagnostics {
 public:
  explicit Diagnostics(std::string source) : source_(std::move(source)) {}
  // Nothing further is said about a place whose structure is wrong: it would follow from that.
  void error(std::string path, std::string message) {
    if (!misshapen_.contains(path)) errors_.push_back({std::move(path), std::move(message)});
  }
  // What the schema of the model file does not allow.
  void structure(const std::string& path, std::string message) {
    error(path, std::move(message));
    misshapen_.insert(path);
  }
  void missing(const std::string& path, const std::string& key) {
    error(path, "\"" + key + "\" is missing; add it");
    misshapen_.insert(path + "/" + key);
  }
  void errorAt(int line, int column, std::string message) { errors_.push_back({"", std::move(message), line, column}); }
  void note(std::string path, std::string message) { notes_.push_back({std::move(path), std::move(message)}); }
  // A name whose own fault is reported: what refers to it is not reported again.
  void spoil(const std::string& name) { spoilt_.insert(name); }
  // Of a path such as "shoulder.angle" the first part counts.
  bool spoilt(const std::string& path) const { return spoilt_.contains(path.substr(0, path.find('.'))); }
  bool ok() const { return errors_.empty(); }
  const std::vector<Diagnostic>& errors() const { return errors_; }
  const std::vector<Diagnostic>& notes() const { return notes_; }
  const std::string& source() const { return source_; }
  // One line each: "crank.json: /joints/knee/between/0: unknown body "rodd"; known: crank, rod".
  std::string text() const;

 private:
  std::string source_;
  std::vector<Diagnostic> errors_, notes_;
  std::set<std::string> spoilt_, misshapen_;
};

// The known name nearest to a misspelt one (edit distance), or "" if none is near.
std::string nearest(const std::string& name, const std::vector<std::string>& known);

}  // namespace mbfmu
