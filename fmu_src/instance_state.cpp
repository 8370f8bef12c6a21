// Roll-back of an Instance: states in memory, and as bytes that another process can read.
//
// Bytes: magic, version, length of the rest, checksum of the rest; the rest is the instantiation token and the state.
#include <algorithm>
#include <cstring>

#include "fmu_src/instance.h"

namespace mbfmu {
namespace {

constexpr std::uint32_t magic = 0x7566626d, version = 1;  // "mbfu" in little-endian bytes

struct Header {
  std::uint32_t magic, version;
  std::uint64_t size, checksum;
};

// FNV-1a (Fowler, Noll, Vo), 64 bits.
std::uint64_t checksum(const unsigned char* data, std::size_t size) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ data[i]) * 0x100000001b3;
  return hash;
}

}  // namespace

Instance::Part Instance::Part::clone() const {
  Part copy;
  copy.simulation = std::make_unique<Simulation>(*simulation);
  copy.mode = mode;
  copy.startTime = startTime;
  copy.stopTime = stopTime;
  copy.stopTimeDefined = stopTimeDefined;
  copy.toleranceSet = toleranceSet;
  copy.initialised = initialised;
  return copy;
}

void Instance::Part::transfer(Archive& archive) {
  archive(mode, startTime, stopTime, stopTimeDefined, toleranceSet, initialised);
  simulation->transfer(archive);
}

Instance::Part* Instance::saved(fmi3FMUState state) {
  const auto same = [&](const std::unique_ptr<Part>& part) { return part.get() == state; };
  const auto found = std::find_if(saved_.begin(), saved_.end(), same);
  return found == saved_.end() ? nullptr : found->get();
}

// A state that is passed in is overwritten, so that masters can reuse it.
fmi3Status Instance::keep(std::unique_ptr<Part> part, const char* function, fmi3FMUState* state) {
  if (Part* old = *state ? saved(*state) : nullptr) {
    *old = std::move(*part);
    if (serialized_.first == old) serialized_.first = nullptr;
    return fmi3OK;
  }
  if (*state) return fail(std::string(function) + ": *FMUState is neither NULL nor a state of this instance");
  saved_.push_back(std::move(part));
  *state = saved_.back().get();
  return fmi3OK;
}

fmi3Status Instance::getState(fmi3FMUState* state) {
  if (!state) return fail("fmi3GetFMUState: FMUState is NULL");
  return keep(std::make_unique<Part>(part_.clone()), "fmi3GetFMUState", state);
}

fmi3Status Instance::setState(fmi3FMUState state) {
  const Part* part = saved(state);
  if (!part) return fail("fmi3SetFMUState: not a state of this instance");
  part_ = part->clone();
  return fmi3OK;
}

fmi3Status Instance::freeState(fmi3FMUState* state) {
  if (!state || !*state) return fmi3OK;
  const Part* part = saved(*state);
  if (!part) return fail("fmi3FreeFMUState: not a state of this instance");
  if (serialized_.first == part) serialized_.first = nullptr;
  std::erase_if(saved_, [&](const std::unique_ptr<Part>& other) { return other.get() == part; });
  *state = nullptr;
  return fmi3OK;
}

fmi3Status Instance::stateSize(fmi3FMUState state, std::size_t* size) {
  Part* part = saved(state);
  if (!part || !size) return fail("fmi3SerializedFMUStateSize: not a state of this instance, or size is NULL");
  Archive::Bytes& bytes = serialized_.second;
  serialized_.first = nullptr;
  bytes.assign(sizeof(Header), 0);
  Archive archive = Archive::writer(bytes);
  archive(token_);
  part->transfer(archive);
  const std::size_t rest = bytes.size() - sizeof(Header);
  const Header header{magic, version, rest, checksum(bytes.data() + sizeof(Header), rest)};
  std::memcpy(bytes.data(), &header, sizeof header);
  serialized_.first = part;
  *size = bytes.size();
  return fmi3OK;
}

fmi3Status Instance::serialize(fmi3FMUState state, fmi3Byte bytes[], std::size_t size) {
  if (!serialized_.first || serialized_.first != state) {
    std::size_t needed = 0;
    const fmi3Status status = stateSize(state, &needed);
    if (status != fmi3OK) return status;
  }
  const Archive::Bytes& own = serialized_.second;
  if (!bytes || size < own.size()) {
    return fail("fmi3SerializeFMUState: " + std::to_string(own.size()) + " bytes are needed");
  }
  std::memcpy(bytes, own.data(), own.size());
  return fmi3OK;
}

fmi3Status Instance::deserialize(const fmi3Byte bytes[], std::size_t size, fmi3FMUState* state) {
  const auto refuse = [&](const char* why) { return fail(std::string("fmi3DeserializeFMUState: ") + why); };
  if (!bytes || !state) return refuse("an argument is NULL");
  Header header{};
  if (size < sizeof header) return refuse("the bytes are truncated");
  std::memcpy(&header, bytes, sizeof header);
  const unsigned char* rest = bytes + sizeof header;
  if (header.magic != magic) return refuse("the bytes are not a state of an mbfmu FMU");
  if (header.version != version) return refuse("the bytes are of another version of mbfmu");
  if (header.size > size - sizeof header) return refuse("the bytes are truncated");
  if (checksum(rest, header.size) != header.checksum) return refuse("the bytes are damaged");
  Archive archive = Archive::reader(rest, header.size);
  std::string token;
  archive(token);
  if (token != token_) return refuse("the bytes belong to another model");
  auto part = std::make_unique<Part>();
  part->simulation = std::make_unique<Simulation>(*start_);
  part->transfer(archive);
  if (!archive.finished()) return refuse("the bytes do not fit this model");
  const auto mode = static_cast<unsigned>(part->mode);
  if ((mode & states::atRest) == 0 || (mode & (mode - 1)) != 0) return refuse("the bytes are damaged");
  return keep(std::move(part), "fmi3DeserializeFMUState", state);
}

}  // namespace mbfmu
